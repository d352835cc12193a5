// An entry of the XDG autostart folder, by the Desktop Entry Specification 1.5.

/** The text of the entry that starts `program` with `args`. Throws a sentence where the specification has no way to name it. */
export function desktopEntry(program: string, args: readonly string[]): string {
  const words = [program, ...args]
  if (words.some((word) => /[\u0000-\u001F\u007F]/.test(word))) {
    throw new Error(
      'A path with a line break or another control character cannot be started at log-in.',
    )
  }
  if (program.includes('=')) {
    // "The executable program can either be specified with its full path or with the name of the executable […]. The name or path of the executable program may not contain the equal sign."
    throw new Error('A program whose path has an equal sign cannot be started at log-in.')
  }
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Tabscope',
    'Comment=Inspector for webhooks',
    `Exec=${execArgument(program)}${execTail(args)}`,
    'Icon=tabscope',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** How `Exec` goes on behind the program. */
export function execTail(args: readonly string[]): string {
  return args.map((argument) => ` ${execArgument(argument)}`).join('')
}

/** What an entry says under `key`; undefined: nothing. */
export function valueOf(entry: string, key: string): string | undefined {
  for (const line of entry.split('\n')) {
    const at = line.indexOf('=')
    if (at !== -1 && line.slice(0, at).trim() === key) return line.slice(at + 1).trim()
  }
  return undefined
}

/**
 * One argument of `Exec`, in quotes: within them `"`, a backtick, `$` and `\` are escaped, and a per cent sign is doubled, since it would begin
 * a field code. Then the backslashes once more, as in every string of the file.
 */
export function execArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}
