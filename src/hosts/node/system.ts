import { release } from 'node:os'
import type { SystemPort } from '#engine/ports.ts'

/** Node as a host: no file manager, and nothing that brings it up to date. `logFile` is an absolute path. */
export function createNodeSystem(logFile: string): SystemPort {
  return {
    versions: () => [
      { name: 'Node', version: process.versions.node },
      { name: 'V8', version: process.versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    showLogs: async () => false,
    // The browser that shows the interface may run elsewhere, and has a clipboard of its own.
    copyText: async () => false,
    updates: null,
  }
}
