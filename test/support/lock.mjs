const SYSTEMS =
  /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/
const PROCESSORS = /-(arm64|arm|x64|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32)(?=-|$)/

/**
 * The optional packages that a lock names but does not list, as entries for it. One whose version is a range cannot be
 * added without a registry: it is thrown about.
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string>, dev?: boolean }> }} lock
 * @returns {{ key: string, entry: object }[]}
 */
export function missingFromLock({ packages }) {
  const found = new Map()
  for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isListed(packages, owner, name)) continue
      const key = found.has(`node_modules/${name}`)
        ? `${owner}/node_modules/${name}`
        : `node_modules/${name}`
      if (found.get(`node_modules/${name}`)?.version === version) continue
      found.set(key, {
        version: exact(name, version),
        ...platformOf(name),
        ...(dev === true ? { dev: true } : {}),
        optional: true,
      })
    }
  }
  return [...found].map(([key, entry]) => ({ key, entry }))
}

/** Looked up as Node does: beside the owner, then in each folder above. */
function isListed(packages, owner, name) {
  const parts = owner.split('/node_modules/')
  for (let depth = parts.length; depth > 0; depth -= 1) {
    if (`${parts.slice(0, depth).join('/node_modules/')}/node_modules/${name}` in packages)
      return true
  }
  return `node_modules/${name}` in packages
}

function exact(name, version) {
  if (/^\d+\.\d+\.\d+[-.\w]*$/.test(version)) return version
  throw new Error(`${name} is wanted as ${version}: ask a registry which that is`)
}

function platformOf(name) {
  const os = SYSTEMS.exec(name)?.[1]
  const cpu = PROCESSORS.exec(name)?.[1]
  const libc = /-musl/.test(name) ? 'musl' : /-gnu/.test(name) ? 'glibc' : undefined
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined || os !== 'linux' ? {} : { libc: [libc] }),
    ...(os === undefined ? {} : { os: [os] }),
  }
}
