import { headerName } from '#catalogue/headers.ts'
import { camelCase } from '../names.ts'
import { defineContract } from '../generators.ts'
import type { PayloadModel } from '../model.ts'
import { eventSchemas, headerSchemas, infoOf, jsonFile } from './schema.ts'

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** A webhook for each event type: viewers list them, and generators name their types. The path is for tools that know only paths. */
export default defineContract({
  id: 'openapi',
  label: 'OpenAPI',
  document(model) {
    const headers = headerSchemas(model.brand)
    const signature = headers.find(({ name }) => name === headerName(model.brand, 'signature'))
    const schemas = eventSchemas(model)
    return jsonFile('openapi.json', {
      openapi: '3.1.0',
      info: { ...infoOf(model), license: { name: '0BSD', identifier: '0BSD' } },
      servers: [{ url: 'http://127.0.0.1:3000', description: 'Your handler, on this computer.' }],
      security: [{ signature: [] }],
      paths: {
        '/webhooks': {
          post: {
            operationId: 'receiveWebhook',
            summary: 'Receive an event',
            ...exchange(model, 'WebhookEvent', examplesOf(schemas)),
          },
        },
      },
      webhooks: Object.fromEntries(
        model.events.map(({ type, name, description }) => [
          type,
          {
            post: {
              operationId: `receive${name}`,
              summary: type,
              description,
              ...exchange(model, name, {}),
            },
          },
        ]),
      ),
      components: {
        schemas: {
          WebhookEvent: {
            description: 'An event. Other types may be added.',
            anyOf: [reference('schemas', 'KnownEvent'), reference('schemas', 'UnknownEvent')],
          },
          KnownEvent: unionOf(model),
          ...schemas,
        },
        parameters: Object.fromEntries(
          headers.map(({ name, ...header }) => [
            camelCase(name),
            { name, in: 'header', ...header },
          ]),
        ),
        responses: {
          Received: {
            description:
              'Any 2xx status. This is an assumption: the API documentation does not say which response is expected.',
          },
        },
        securitySchemes: {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: signature?.name,
            description: signature?.description,
          },
        },
      },
    })
  },
})

function exchange({ brand }: PayloadModel, schema: string, more: object) {
  return {
    parameters: headerSchemas(brand).map(({ name }) => reference('parameters', camelCase(name))),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('schemas', schema), ...more } },
    },
    responses: { '2XX': reference('responses', 'Received') },
  }
}

function examplesOf(schemas: ReturnType<typeof eventSchemas>) {
  const examples = Object.entries(schemas).flatMap(([name, { examples: all }]) =>
    Array.isArray(all) ? [[name, { value: all[0] }] as const] : [],
  )
  return examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}
}

/** Without the unknown one: generators take its type for a constant, or refuse other types. */
function unionOf({ events }: PayloadModel) {
  return {
    oneOf: events.map(({ name }) => reference('schemas', name)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        events.map(({ type, name }) => [type, `#/components/schemas/${name}`]),
      ),
    },
  }
}
