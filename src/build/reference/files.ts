import { completeProgram } from '#hosts/node/command-line/program.ts'
import {
  causesText,
  errorCodesText,
  fieldsText,
  findingsText,
  keyboardText,
  rehearsalCasesText,
} from './guide-pages.ts'
import { jsonSchema } from './json-lines.ts'
import { referenceText } from './markdown.ts'

const program = await completeProgram()

export const generatedFiles: Readonly<Record<string, string>> = {
  'resources/docs/command-line.md': referenceText(program),
  'resources/docs/keyboard-shortcuts.md': keyboardText(),
  'resources/docs/filter-fields.md': fieldsText(),
  'resources/docs/findings.md': findingsText(),
  'resources/docs/invalid-signature-causes.md': causesText(),
  'resources/docs/rehearsal-cases.md': rehearsalCasesText(),
  'resources/docs/error-codes.md': errorCodesText(),
  'resources/docs/cli-output.schema.json': `${JSON.stringify(jsonSchema(), null, 2)}\n`,
}
