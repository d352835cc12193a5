import { visible } from '#contract/visible.ts'
import { base64Of, exactText } from '../body-text.ts'

/** Longer arguments are more than some systems take, in bytes. */
const longestArgument = 30_000
/** So many bytes are 76 characters. */
const lineBytes = 57
const blockBytes = lineBytes * 4096

/**
 * The body as text that can stand between quotes; null: it must go as base64. Text with anything but line breaks that would not show is
 * among the latter: pasted at a prompt, control characters are keys, and who reads a script should see what it sends.
 */
export function argumentText(body: Uint8Array): string | null {
  if (body.byteLength > longestArgument) return null
  const text = exactText(body)
  return text !== null && text.split('\n').every((line) => visible(line) === line) ? text : null
}

/** A command that is fed these bytes. What is behind `<<` cannot be told from Base64 if it is made of its letters alone. */
export function* fedWith(body: Uint8Array, command: string): Generator<string, void, undefined> {
  yield `base64 -d <<'END_OF_BODY' | ${command}\n`
  for (let from = 0; from < body.byteLength; from += blockBytes) {
    const block = base64Of(body.subarray(from, from + blockBytes))
    yield block.replace(/.{1,76}/g, '$&\n')
  }
  yield 'END_OF_BODY\n'
}
