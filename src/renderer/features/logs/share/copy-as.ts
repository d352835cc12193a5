import { redactedValues } from '#contract/redaction.ts'
import type { KeepableClass } from '#contract/redaction.ts'
import { sentence } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { counted } from '../../../components/text/numbers.ts'
import { say } from '../../shell/toasts.ts'

/** In which a delivery can be copied, and what that is called. */
export const copyFormats = [
  { format: 'curl', label: 'curl' },
  { format: 'httpie', label: 'HTTPie' },
  { format: 'fetch', label: 'fetch' },
] as const

export type CopyFormat = 'markdown' | (typeof copyFormats)[number]['format']

interface Copied {
  /** Of which log; null: the live store. */
  readonly log: number | null
  readonly id: number
  readonly format: CopyFormat
  readonly redact: boolean
  /** Classes of values that stay in although the rest is redacted. */
  readonly keep: readonly KeepableClass[]
}

/** Copies one delivery as text, and says what was redacted in it. */
export async function copyAs(
  client: Client,
  { log, id, format, redact, keep }: Copied,
): Promise<void> {
  try {
    const { text, removed, cut } = await client.call('logs.text', {
      log,
      id,
      format,
      redact,
      keep: [...keep],
    })
    await copyText(text)
    say('valid', copiedSentence({ format, redact, keep, removed, cut }), { about: 'copied' })
  } catch (error) {
    say('invalid', `It was not copied. ${sentence(error)}`, { about: 'copied' })
  }
}

interface Outcome {
  readonly format: CopyFormat
  readonly redact: boolean
  readonly keep: readonly KeepableClass[]
  readonly removed: number
  readonly cut: boolean
}

/** What is said once it is on the clipboard. */
export function copiedSentence({ format, redact, keep, removed, cut }: Outcome): string {
  const label = copyFormats.find((one) => one.format === format)?.label
  const what = label === undefined ? 'Copied for a chat' : `Copied as ${label}`
  const out = !redact
    ? 'not redacted: everything is in it'
    : removed === 0
      ? 'nothing was recognized that redaction replaces'
      : `${counted(removed, 'value', 'values')} redacted`
  const kept =
    redact && keep.length > 0
      ? `, kept: ${keep.map((one) => redactedValues[one].label).join(', ')}`
      : ''
  return `${what}, ${out}${kept}.${cut ? ' It was cut at 1 MiB: export it to have all of it.' : ''}`
}
