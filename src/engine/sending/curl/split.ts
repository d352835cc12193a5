import { splitCmd } from './cmd.ts'
import { PosixShell } from './posix.ts'
import { splitPowerShell } from './powershell.ts'
import { latin1, type SplitCommand } from './words.ts'

/**
 * Splits the command that sends a request in a text for a POSIX shell, cmd or PowerShell. Expanded is only what the text itself sets or writes. Throws
 * `bad_input` for quotes without an end, loops, and several requests.
 */
export function splitCommand(text: string): SplitCommand {
  const command = withoutSurroundings(text)
  const bytes = latin1(command)
  if (isPowerShell(command)) return splitPowerShell(bytes)
  return isCmd(command) ? splitCmd(bytes) : new PosixShell(bytes).split()
}

const fence = /^[ \t]*(?:```|~~~)/
const prompt =
  /^(?:(?:PS )?[A-Z]:\\[^\n>"']{0,200}> ?|[^\n'"|;&<>]{0,100}[$%>❯➜»][ \t]|[^\n'"|;&<> ]{1,100}#[ \t]|➜[^\n'"|;&<>]{1,60}[ \t])[ \t]*(?=(?:curl|invoke-|iwr|irm)[^\n])/im

/** Without what is copied along: a code fence with the text around it, and prompts. */
function withoutSurroundings(text: string): string {
  const lines = text.replace(/^\s*`([^`]+)`\s*$/, '$1').split('\n')
  const from = lines.findIndex((line) => fence.test(line))
  const to = lines.findIndex((line, at) => at > from && fence.test(line))
  const isFenced = from !== -1 && !lines.slice(0, from).some((line) => /^\W*curl\s/.test(line))
  const code = (isFenced ? lines.slice(from + 1, to === -1 ? undefined : to) : lines).join('\n')
  // The shell prompts for continued lines too.
  if (prompt.test(code)) return code.replace(prompt, '').replaceAll(/^(?:>>?|More\?) /gm, '')
  // A line of the root user, or a comment.
  return /^[ \t]*curl\s/m.test(code) ? code : code.replace(/^[ \t]*#[ \t]+(?=curl\s)/m, '')
}

function isPowerShell(text: string): boolean {
  return (
    /[ \t]`[ \t]*\r?$|@['"]\r?$|^\$[\w.]+[ \t]*=|[ \t]-(?:Uri|ContentType|UseBasicParsing)[ \t]|^[ \t]*(?:invoke-webrequest|invoke-restmethod|iwr|irm)\s/im.test(
      text,
    ) || /^[ \t]*curl\.exe\s[^\n']*'/im.test(text)
  )
}

/** Carets at the ends of lines, before quotes or operators, or doubled quotes in quotes; and nothing that only a POSIX shell has. */
function isCmd(text: string): boolean {
  if (/\\\r?\n/.test(text)) return false
  if (/\s\^"|\^\r?\n|[ \t]"[^"]*""[^\s"]/.test(text)) return true
  return /\^[&|<>]/.test(text) && !text.includes("'")
}
