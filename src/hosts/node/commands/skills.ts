import path from 'node:path'
import { writeFileAt } from '#engine/platform/save-file.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { choice } from '../command-line/values.ts'
import { confirmChange } from '../command-line/confirm.ts'
import { assistants, fileOf } from '../mcp/assistants.ts'
import { print } from '../output/output.ts'
import { asStarted, resolvePath } from '../command-line/io.ts'

const sources = import.meta.glob<string>('../../../../resources/skills/*/SKILL.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function skills() {
  return Object.entries(sources).map(([file, text]) => ({
    name: path.posix.basename(path.posix.dirname(file)),
    text: asStarted(text),
  }))
}

const show = defineCommand(
  'show',
  'Print the instructions for assistants that use the command line',
  [['Print the instructions', 'skills']],
).action(
  action(() => {
    for (const { name, text } of skills()) print('skill', { name, text }, () => text.trimEnd())
  }),
)

const known = assistants.filter((each) => fileOf(each).skills !== null)

const install = defineCommand(
  'install',
  'Write the instructions where an assistant looks for skills',
  [
    ['For Claude Code, in the project of the current folder', 'skills install claude-code'],
    ['For all of your projects', 'skills install codex --to ~/.agents/skills'],
  ],
)
  .argument('<assistant>', known.join(', '), choice('assistant', known))
  .option('--to <dir>', 'Folder of skills (default: that of the project)')
  .option('--yes', 'Replace an existing file without asking')
  .action(
    action(async (assistant, { to, yes }) => {
      const { readText } = await import('../mcp/install.ts')
      const folder = resolvePath(to ?? fileOf(assistant).skills ?? '')
      for (const { name, text } of skills()) {
        const file = path.join(folder, name, 'SKILL.md')
        const before = readText(file)
        const changed = before !== text
        if (changed) {
          const replaces = before !== null
          if (replaces && !(await confirmChange(`This replaces ${file}.`, yes ?? false))) return 1
          writeFileAt(file, text, false)
        }
        print('skill_installed', { name, file, changed }, () =>
          changed ? `Wrote ${file}` : `${file} is up to date.`,
        )
      }
    }),
  )

export const command = group(
  'skills',
  'Print or install instructions for coding assistants that use the command line',
  [show, install],
  show,
)
