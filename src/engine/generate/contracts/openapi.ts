import { camelCase } from '../names.ts'
import { defineContract } from '../generators.ts'
import type { ModelEvent, PayloadModel } from '../model.ts'
import { eventNames, eventSchemas, headerSchemas, infoOf, jsonFile } from './schema.ts'

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** A webhook for each event type: viewers list them, and generators name their types. */
export default defineContract({
  id: 'openapi',
  label: 'OpenAPI',
  document: (model) =>
    jsonFile('openapi.json', {
      openapi: '3.1.0',
      info: infoOf(model),
      webhooks: Object.fromEntries(
        model.events.map((event) => [event.type, { post: operationOf(event, model) }]),
      ),
      components: {
        schemas: { WebhookEvent: unionOf(model), ...eventSchemas(model) },
        parameters: Object.fromEntries(
          headerSchemas(model.brand).map(({ name, ...header }) => [
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
      },
    }),
})

function operationOf({ type, name, description }: ModelEvent, { brand }: PayloadModel) {
  return {
    operationId: `receive${name}`,
    summary: type,
    description,
    parameters: headerSchemas(brand).map((header) =>
      reference('parameters', camelCase(header.name)),
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('schemas', name) } },
    },
    responses: { '2XX': reference('responses', 'Received') },
  }
}

function unionOf(model: PayloadModel) {
  return {
    description: 'An event. Other types may be added.',
    oneOf: eventNames(model).map((name) => reference('schemas', name)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        model.events.map(({ type, name }) => [type, `#/components/schemas/${name}`]),
      ),
    },
  }
}
