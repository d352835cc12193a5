import { defineContract } from '../generators.ts'
import { eventNames, eventSchemas, headerSchemas, infoOf, jsonFile } from './schema.ts'

/** The application is the one that receives the webhooks. */
export default defineContract({
  id: 'asyncapi',
  label: 'AsyncAPI',
  document(model) {
    const names = eventNames(model)
    const headers = headerSchemas(model.brand)
    const byName = (value: (name: string) => object) =>
      Object.fromEntries(names.map((name) => [name, value(name)]))
    return jsonFile('asyncapi.json', {
      asyncapi: '3.0.0',
      info: infoOf(model),
      defaultContentType: 'application/json',
      channels: {
        webhooks: {
          address: null,
          description: 'The URL of your webhook endpoint.',
          messages: byName((name) => ({ $ref: `#/components/messages/${name}` })),
        },
      },
      operations: {
        receiveWebhookEvent: {
          action: 'receive',
          channel: { $ref: '#/channels/webhooks' },
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
          messages: names.map((name) => ({ $ref: `#/channels/webhooks/messages/${name}` })),
        },
      },
      components: {
        messages: byName((name) => ({
          name: model.events.find((event) => event.name === name)?.type ?? name,
          headers: { $ref: '#/components/schemas/DeliveryHeaders' },
          payload: { $ref: `#/components/schemas/${name}` },
        })),
        schemas: {
          DeliveryHeaders: {
            type: 'object',
            required: headers.filter(({ required }) => required).map(({ name }) => name),
            properties: Object.fromEntries(
              headers.map(({ name, description, schema }) => [name, { description, ...schema }]),
            ),
          },
          ...eventSchemas(model),
        },
      },
    })
  },
})
