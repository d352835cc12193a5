import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** A terminal started from an AppImage passes its variables on to other programs, whose files must not be replaced. */
export function runsFromAppImage(env: NodeJS.ProcessEnv, resources: string): boolean {
  const { APPIMAGE: file, APPDIR: mount } = env
  if (file === undefined || mount === undefined || !path.isAbsolute(file)) return false
  const inside = path.relative(real(mount), real(resources))
  return !inside.startsWith('..') && !path.isAbsolute(inside)
}

/** A file name with a version gets the new version, any other name is kept, since the user chose it. */
export function installPath(file: string, fetched: string): string {
  return /\d+\.\d+\.\d+/.test(path.basename(file))
    ? path.join(path.dirname(file), path.basename(fetched))
    : file
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder)
  }
}

/** macOS installs an update only if it satisfies the signature of the running app, and only the same build satisfies an ad-hoc signature. */
export async function isSignedWithCertificate(
  program: string,
  run: (file: string, args: string[]) => Promise<{ stderr: string }> = promisify(execFile),
): Promise<boolean> {
  try {
    // `codesign` writes to stderr, and fails for an app without a signature.
    const { stderr } = await run('/usr/bin/codesign', ['--display', '--verbose=2', program])
    return !stderr.includes('Signature=adhoc')
  } catch {
    return false
  }
}
