#!/usr/bin/env bash
# ./dev test --system RELEASE: clones this commit into a bare Debian of that release, and runs
# ./dev demo and ./dev test there, as somebody would who has just installed it.
#
# The systems lie in build/systems, or in the folder that LAYERLAB_SYSTEMS names, and are kept: the
# next time only what changed is compiled. Nothing outside that folder is written, and deleting it
# is safe. They get the host's package mirror, certificates and settings of apt and pip, and see
# the folders that LAYERLAB_TORCH and PIP_FIND_LINKS name, read-only.
set -euo pipefail

say() { printf 'dev: %s\n' "$*" >&2; }
refuse() {
  say "$@"
  exit 2
}

release=${1:-}
home=$(git -C "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" rev-parse --show-toplevel)
systems=$(realpath -m -- "${LAYERLAB_SYSTEMS:-$home/build/systems}")
system=$systems/$release

# --- outside: needs root, and makes the system -------------------------------------------------

check() {
  command -v debootstrap unshare >/dev/null || refuse "debootstrap is needed: apt-get install debootstrap"
  ((EUID == 0)) || refuse "making a system takes root:  sudo ./dev test --system $release"
  [[ $release =~ ^[a-z]+$ && -e /usr/share/debootstrap/scripts/$release ]] ||
    refuse "--system takes a release that debootstrap knows, such as trixie, not \"$release\""
  [[ -z $(git -C "$home" status --porcelain --untracked-files=no) ]] ||
    say "what is not committed is left out"
}

mirror() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1; }

# Under another name until it is whole, so that one half made is made anew.
make_system() {
  [[ -d $system ]] && return
  say "making a bare $release in $system"
  mkdir -p -- "$systems"
  rm -rf --one-file-system -- "$system.part"
  debootstrap --variant=minbase "$release" "$system.part" $(mirror) >"$systems/debootstrap.log" ||
    refuse "debootstrap failed: $systems/debootstrap.log"
  mv -- "$system.part" "$system"
}

copy_settings() {
  local path
  for path in /etc/apt/apt.conf.d /etc/apt/apt.conf /etc/pip.conf /etc/hosts /etc/resolv.conf /etc/ssl/certs \
    /usr/local/share/ca-certificates; do
    [[ -e $path ]] || continue
    mkdir -p -- "$system$(dirname -- "$path")"
    cp -rL --remove-destination -- "$path" "$system$(dirname -- "$path")/"
  done
}

clone_commit() {
  rm -rf --one-file-system -- "$system/root/layerlab"
  git clone --quiet --no-hardlinks -- "$home" "$system/root/layerlab"
  git -C "$system/root/layerlab" checkout --quiet --detach "$(git -C "$home" rev-parse HEAD)"
  say "commit $(git -C "$home" rev-parse --short HEAD) on $(. "$system/etc/os-release" && echo "$PRETTY_NAME")"
}

# --- inside: in namespaces of its own, so that mounts and processes end with it -----------------

bind_read_only() {
  [[ -d $1 ]] || return 0
  mkdir -p -- "$system$1"
  mount --bind -- "$1" "$system$1"
  mount -o remount,bind,ro -- "$system$1"
}

enter() {
  mount -t proc proc "$system/proc"
  mount --rbind /dev "$system/dev"
  [[ -z ${LAYERLAB_TORCH:-} ]] || bind_read_only "$(realpath -- "$LAYERLAB_TORCH")"
  [[ -z ${PIP_FIND_LINKS:-} ]] || bind_read_only "$PIP_FIND_LINKS"
  local passed=()
  mapfile -t passed < <(env | grep -E '^(PIP_[A-Z_]*|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)=')
  [[ -z ${LAYERLAB_TORCH:-} ]] || passed+=("LAYERLAB_TORCH=$(realpath -- "$LAYERLAB_TORCH")")
  chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "${passed[@]}" \
    bash -euc 'cd; cd layerlab; time ./dev demo; time ./dev test; time ./dev build lab_headers'
}

if [[ ${2:-} == inside ]]; then
  enter
else
  check
  make_system
  copy_settings
  clone_commit
  exec unshare --mount --pid --fork --kill-child -- "$0" "$release" inside
fi
