import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

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
