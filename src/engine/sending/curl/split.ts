import { toBytes } from '../../platform/byte-text.ts'
import { splitCmd } from './cmd.ts'
import { PosixShell } from './posix.ts'
import { splitPowerShell } from './powershell.ts'
import { type SplitCommand } from './words.ts'

/**
 * Splits the command that sends a request in a text for a POSIX shell, cmd or PowerShell. Expanded is only what the text itself sets or writes. Throws
 * `bad_input` for quotes without an end, loops, and several requests.
 */
export function splitCommand(text: string): SplitCommand {
  const command = withoutSurroundings(text)
  if (isPowerShell(command)) return splitPowerShell(command)
  const bytes = toBytes(command)
  return isCmd(command) ? splitCmd(bytes) : new PosixShell(bytes).split()
}

const fence = /^[ \t]*(?:```|~~~)/
const ownLine = /^[ \t]*curl\s/m
const start = /(?<=^|[ \t>])(?:curl(?:\.exe)?|invoke-\w+|iwr|irm)[ \t]/i
const prompt = /^(?:(?:PS )?[A-Z]:\\[^>"']*>|[^'"|;&<>]*[$%>❯➜»]|[^'"|;&<>\s#]+#|➜[^'"|;&<>]*)$/i

/** Without what is copied along: a code fence with the text around it, and prompts. */
function withoutSurroundings(text: string): string {
  const lines = text.replace(/^\s*`([^`]+)`\s*$/, '$1').split('\n')
  const from = lines.findIndex((line) => fence.test(line))
  const to = lines.findIndex((line, at) => at > from && fence.test(line))
  const isFenced = from !== -1 && !lines.slice(0, from).some((line) => /^\W*curl\s/.test(line))
  return withoutPrompts(isFenced ? lines.slice(from + 1, to === -1 ? undefined : to) : lines)
}

function withoutPrompts(lines: readonly string[]): string {
  const code = lines.join('\n')
  const at = lines.findIndex((line) => start.test(line))
  const line = lines[at]
  if (line === undefined) return code
  const from = line.search(start)
  const before = line.slice(0, from).trim()
  const command = lines.with(at, line.slice(from)).join('\n')
  if (before === '#') return ownLine.test(code) ? code : command
  // The shell prompts for continued lines too.
  return prompt.test(before) ? command.replaceAll(/^(?:>>?|More\?) /gm, '') : code
}

function isPowerShell(text: string): boolean {
  return (
    /[ \t]`[ \t]*\r?$|@['"]\r?$|^\$[\w.]+[ \t]*=|[ \t]-(?:Uri|ContentType|UseBasicParsing)[ \t]|^[ \t]*(?:invoke-webrequest|invoke-restmethod|iwr|irm)\s/im.test(
      text,
    ) || /(?:^|\n)[ \t]*curl\.exe\s[^\n'`]*['`]/i.test(text)
  )
}

/** Carets at the ends of lines, before quotes or operators, or doubled quotes in quotes; and nothing that only a POSIX shell has. */
function isCmd(text: string): boolean {
  if (/\\\r?\n/.test(text)) return false
  if (/\s\^"|\^\r?\n|[ \t]"[^"]*""[^\s"]/.test(text)) return true
  return /\^[&|<>]/.test(text) && !text.includes("'")
}
