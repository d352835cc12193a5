import { Validator } from '@seriousme/openapi-schema-validator'
import asyncApi from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { generate } from '#engine/handlers/generate/generate.ts'
import {
  corpus,
  documentedModel,
  observedModel,
  observedPayloads,
} from '#test/support/generated-events.ts'

const models = { documented: documentedModel(), observed: observedModel() }
type Output = 'schema' | 'openapi' | 'asyncapi'

async function documentOf(output: Output, model = models.documented) {
  const [file] = await generate({ output, target: '', model, fixtures: [] })
  return JSON.parse(file?.text ?? '')
}

describe.each(Object.entries(models))('%s', (name, model) => {
  it('is a valid JSON Schema that accepts every event, and none without its properties', async () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    const document = await documentOf('schema', model)
    expect(JSON.stringify(document)).not.toContain('$ref')
    const validate = ajv.compile(document)
    const cases =
      name === 'documented'
        ? corpus
        : observedPayloads.map((each) => ({ is: 'known', body: JSON.stringify(each) }))
    for (const { body, is } of cases.filter((each) => each.is !== 'none')) {
      const isValid = validate(JSON.parse(body))
      expect(isValid, `${body} ${JSON.stringify(validate.errors)}`).toBe(is !== 'unfit')
    }
    for (const none of [null, [], {}, { type: 1 }]) expect(validate(none)).toBe(false)
  })

  it('is a valid OpenAPI document, with a webhook for each type', async () => {
    const document = await documentOf('openapi', model)
    const result = await new Validator().validate(structuredClone(document))
    expect(result.valid, JSON.stringify(result.errors)).toBe(true)
    expect(Object.keys(document.webhooks)).toEqual(model.events.map(({ type }) => type))
    const { post } = document.paths['/webhooks']
    const { schema, examples } = post.requestBody.content['application/json']
    expect(schema).toEqual({ $ref: '#/components/schemas/WebhookEvent' })
    expect(Object.keys(examples).length).toBeGreaterThan(0)
    expect(document).toMatchObject({ security: [{ signature: [] }], servers: [{}] })
    // Of these, generators make types that accept what is not documented.
    const { WebhookEvent, KnownEvent } = document.components.schemas
    expect(WebhookEvent.anyOf).toEqual([
      { $ref: '#/components/schemas/KnownEvent' },
      { $ref: '#/components/schemas/UnknownEvent' },
    ])
    expect(KnownEvent.oneOf).toHaveLength(model.events.length)
  })

  it('is a valid AsyncAPI document', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(asyncApi)
    validate(await documentOf('asyncapi', model))
    expect(validate.errors).toBeNull()
  })
})

it.each(['openapi', 'asyncapi'] as const)(
  '%s has only references that it defines',
  async (output) => {
    const document = await documentOf(output)
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) {
      const path = reference.slice(3, -1).split('/')
      expect(
        path.reduce((value, key) => value?.[key], document),
        reference,
      ).toBeTypeOf('object')
    }
  },
)

it('has examples that match, and headers of the brand', async () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const { oneOf } = await documentOf('schema')
  expect(oneOf).toHaveLength(models.documented.events.length + 1)
  for (const schema of Object.values<{ title: string; examples?: unknown[] }>(oneOf)) {
    if (schema.title === 'UnknownEvent') continue
    expect(
      schema.examples?.every((each) => ajv.validate(schema, each)),
      schema.title,
    ).toBe(true)
  }
  const { components } = await documentOf('openapi')
  expect(components.parameters.xAcmeSignature).toMatchObject({
    name: 'X-Acme-Signature',
    required: false,
    description: expect.stringContaining('hex-encoded SHA-256 HMAC'),
  })
  expect(components.responses.Received.description).toContain('assumption')
})

it('rejects a type that is neither documented nor observed', async () => {
  const model = documentedModel(['NO_TYPE'])
  await expect(generate({ output: 'types', target: 'go', model, fixtures: [] })).rejects.toThrow(
    'No event has this type',
  )
})
