import { SandboxError } from '../errors.ts'

const maxUrls = 50
const maxLength = 2000

/**
 * That a redirect URL must be http or https without a fragment is a rule of the sandbox: the API documentation names no rule. URLs are stored exactly as
 * given. Throws `SandboxError` (`bad_redirect_url`, `too_many`).
 */
export function checkRedirectUrls(urls: readonly string[]): readonly string[] {
  if (urls.length > maxUrls)
    throw new SandboxError(
      'too_many',
      `The sandbox stores at most ${maxUrls} redirect URLs. Remove one first.`,
    )
  for (const url of urls) {
    const problem = validate(url)
    if (problem !== null) throw new SandboxError('bad_redirect_url', problem)
  }
  return [...new Set(urls)]
}

function validate(text: string): string | null {
  if (text === '') return 'Enter a redirect URL.'
  if (text.length > maxLength) return `Use a redirect URL of at most ${maxLength} characters.`
  if (!/^[\u0021-\u007e]+$/.test(text))
    return 'Percent-encode spaces and non-ASCII characters in the redirect URL.'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return 'Use a redirect URL like http://127.0.0.1:5000/callback or https://example.com/callback.'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '')
    return 'Remove the user name and password from the redirect URL.'
  if (text.includes('#')) return 'Remove the fragment (#…) from the redirect URL.'
  return null
}
