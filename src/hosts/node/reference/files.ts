import { wholeProgram } from '../command-line/program.ts'
import { jsonSchema } from './json-lines.ts'
import { manText } from './man.ts'
import { referenceText } from './markdown.ts'

const program = await wholeProgram()

/** What `npm run docs` writes: the content of each file, by its path in the package. */
export const generatedFiles: Readonly<Record<string, string>> = {
  'resources/docs/command-line.md': referenceText(program),
  'resources/docs/cli-output.schema.json': `${JSON.stringify(jsonSchema(), null, 2)}\n`,
  'resources/man/tabscope.1': manText(program),
}
