// What a measure can ask of a run's record, as SQL functions. Names are text in single quotes.
//
//   first(name)  final(name)       first and last value of a scalar: 'loss', 'grad_norm', …
//   mean_last(name, k)             mean of its last k values, or of all when there are fewer
//   min_value(name)                its smallest value, steps without a number aside
//   first_step_below(name, value)  the first step at which it was below `value`
//   site(sublayer, site, quantity, layer, step)   a value of table `site`
//   param(name, quantity, layer, step)            a value of table `param`
//   last_layer()  last_step()      the last block, from 0; the last step with sites or parameters
// site, param and last_layer take 'encoder' or 'decoder' as one more argument where the model has
// both.
//   chance_loss()                  loss of guessing by the task's best constant distribution
//   found()                        the value that [search] found, of a file that has one
//   log(x)                         natural
//
// The types of arguments are checked: text where a number belongs is an error. A function gives
// NULL and notes why when an argument is NULL or the value is not in the record. For a run that
// diverged and is to count as chance, final() and mean_last() of a loss give chance_loss() instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace layerlab::claims {

// What is known of a run besides its record.
struct Facts {
  double chance_loss;
  bool lost_is_chance = false;       // a loss that is not a number any more is that of guessing
  std::optional<double> found = {};  // the value with which [search] found the run
};

// Makes the functions callable on a connection, which must not outlive it.
class Functions {
 public:
  Functions(sqlite3* database, const Facts& facts);
  ~Functions();
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;

  const Facts& facts() const { return facts_; }

  // The first thing that was asked for in vain: "scalar 'loss' was not recorded"; "" if nothing.
  const std::string& missing() const { return missing_; }
  // Why the record could not be read; "" if it could.
  const std::string& damage() const { return damage_; }

  // "final(name)", "param(name, quantity, layer, step)", …: for messages.
  static std::vector<std::string> signatures();

 private:
  friend class Call;
  struct Binding;

  Facts facts_;
  std::string missing_, damage_;
  std::vector<Binding> bindings_;
};

}  // namespace layerlab::claims
