// Opening record.db, which another version of layerlab, another program or a broken disk may have
// changed since it was written.
#pragma once

#include <filesystem>

#include "record/sqlite.h"

namespace layerlab::record {

// A record to read. One of an older format reads as one of today's, in which nothing newer was
// measured; triggers and views of the file are not obeyed. Throws UserError naming the file where
// it is missing, no record, of a newer format, cut, or without a table or column of its format.
Database open_for_reading(const std::filesystem::path& path);

// A record to add to, made where there is none. One that differs from today's format is first
// copied into it, and replaced by the copy when that is whole. Throws UserError as above.
Database open_for_writing(const std::filesystem::path& path);

// A record of no run, in memory: what SQL about records is tried on.
Database empty_record();

// Throws UserError unless a run can go on with the file: as above, and where SQLite finds damage in
// its pages. It reads all of them: a few ms a MB. A file without any is no damage.
void check_resumable(const std::filesystem::path& path);

}  // namespace layerlab::record
