import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether this process runs out of the AppImage that its environment names. A terminal that came out of one hands both names on to whatever is
 * started in it, and that one's file must not be replaced.
 */
export function runsFromAppImage(env: NodeJS.ProcessEnv, resources: string): boolean {
  const { APPIMAGE: file, APPDIR: mount } = env
  if (file === undefined || mount === undefined || !path.isAbsolute(file)) return false
  const inside = path.relative(real(mount), real(resources))
  return !inside.startsWith('..') && !path.isAbsolute(inside)
}

/** A name that tells a version tells the new one afterwards; a name that the user gave is kept. */
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

/**
 * Whether the app that `program` belongs to is signed with a certificate. macOS installs an update only if it satisfies the signature of the
 * app that runs; an ad-hoc signature is satisfied by that very build alone.
 */
export async function isSignedWithCertificate(
  program: string,
  run: (file: string, args: string[]) => Promise<{ stderr: string }> = promisify(execFile),
): Promise<boolean> {
  try {
    // It writes to stderr, and fails for an app without a signature.
    const { stderr } = await run('/usr/bin/codesign', ['--display', '--verbose=2', program])
    return !stderr.includes('Signature=adhoc')
  } catch {
    return false
  }
}
