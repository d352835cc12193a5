import { release } from 'node:os'
import type { UpdateState } from '#contract/desktop.ts'
import type { SystemFacts } from './messages.ts'

/** What this Electron is, and how far updates are. `logFile` is an absolute path. */
export function systemFacts(logFile: string, update: UpdateState): SystemFacts {
  const { versions } = process
  return {
    versions: [
      { name: 'Electron', version: versions.electron },
      { name: 'Chromium', version: versions.chrome },
      { name: 'Node', version: versions.node },
      { name: 'V8', version: versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    update,
  }
}
