import { defineLanguage } from '../generators.ts'
import { schemaModule } from './typescript-zod.ts'

export default defineLanguage({
  id: 'typescript-valibot',
  label: 'TypeScript with Valibot',
  types: (model) =>
    schemaModule(model, {
      head: "import * as v from 'valibot'",
      name: 'v',
      entries: 'entries',
      oneOf: (type) => `v.custom<${type}>((value) => typeof value === 'string')`,
      union: "v.variant('type', ",
      infer: (name) => `v.InferOutput<typeof ${name}>`,
      matches: (event) => `v.is(WebhookEvent, ${event})`,
    }),
})
