import { quoted } from '../program/quoted.ts'

/** What a server said, as it can stand in the middle of a sentence. */
export function quotedServerText(text: string): string {
  return quoted(text).replace(/(?<!\.)\.+$/, '')
}
