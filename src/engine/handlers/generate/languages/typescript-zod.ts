import type { GeneratedFile } from '#contract/generate.ts'
import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import {
  blockComment,
  commentOf,
  eventComment,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'
import { headerText, oneOf, propertyName } from './typescript.ts'

export default defineLanguage({
  id: 'typescript-zod',
  label: 'TypeScript with zod',
  types: (model) =>
    schemaModule(model, {
      head: "import * as z from 'zod'",
      name: 'z',
      entries: 'shape',
      oneOf: (type) => `z.string<${type}>()`,
      union: "z.discriminatedUnion('type', ",
      infer: (name) => `z.infer<typeof ${name}>`,
      matches: (event) => `WebhookEvent.safeParse(${event}).success`,
    }),
})

export interface SchemaSyntax {
  readonly head: string
  readonly name: string
  /** Where an object schema has its fields. */
  readonly entries: string
  readonly oneOf: (type: string) => string
  readonly union: string
  readonly infer: (schema: string) => string
  readonly matches: (event: string) => string
}

const width = 100

export function schemaModule(model: PayloadModel, syntax: SchemaSyntax): GeneratedFile {
  return { path: 'webhook-events.ts', text: new SchemaWriter(syntax).module(model) }
}

class SchemaWriter {
  readonly #syntax: SchemaSyntax

  readonly #types: TypeSyntax

  constructor(syntax: SchemaSyntax) {
    this.#syntax = syntax
    const { name } = syntax
    this.#types = {
      string: `${name}.string()`,
      number: `${name}.number()`,
      boolean: `${name}.boolean()`,
      any: `${name}.unknown()`,
      open: `${name}.record(${name}.string(), ${name}.unknown())`,
      list: (of) => `${name}.array(${of})`,
      map: (of) => `${name}.record(${name}.string(), ${of})`,
      oneOf: (values) => syntax.oneOf(oneOf(values)),
    }
  }

  module(model: PayloadModel): string {
    const { common, events } = model
    const { head, name, union, matches } = this.#syntax
    return fill('typescript-schemas.txt', {
      header: headerText(model),
      head,
      objects: this.#objects(common),
      library: name,
      base: this.#fields(common),
      events: events.map((event) => this.#event(event)).join('\n'),
      union,
      names: events.map((event) => `  ${event.name},\n`).join(''),
      type: this.#type('WebhookEvent'),
      matches: matches('event'),
    })
  }

  #event(event: ModelEvent): string {
    const { type, name, data } = event
    const { name: library, entries } = this.#syntax
    return `${this.#objects([data])}${blockComment(eventComment(event), '', width)}export const ${name} = ${library}.object({
  ...EventBase.${entries},
  type: ${library}.literal('${type}'),
${this.#fields([data])}})
${this.#type(name)}`
  }

  #objects(fields: readonly ModelField[]): string {
    return objectsIn(fields)
      .map((object) => this.#object(object))
      .join('')
  }

  #object({ name, fields }: ObjectType): string {
    const { name: library } = this.#syntax
    return `export const ${name} = ${library}.object({\n${this.#fields(fields)}})\n${this.#type(name)}\n`
  }

  #type(name: string): string {
    return `export type ${name} = ${this.#syntax.infer(name)}\n`
  }

  #fields(fields: readonly ModelField[]): string {
    const { name } = this.#syntax
    return fields
      .map((field) => {
        const { key, value, optional, nullable } = field
        const schema = typeText(value, this.#types)
        const wrapper = optional ? `${name}.nullish(` : nullable ? `${name}.nullable(` : ''
        const start = `  ${propertyName(key)}: ${wrapper}`
        const line = `${start}${schema}${wrapper === '' ? '' : ')'},\n`
        const isLong = line.length > width + 1 && wrapper !== ''
        return `${blockComment(commentOf(field), '  ', width)}${isLong ? `${start}\n    ${schema},\n  ),\n` : line}`
      })
      .join('')
  }
}
