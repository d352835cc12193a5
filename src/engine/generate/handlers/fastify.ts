import check from '#catalogue/raw-body-checks/fastify.ts'
import { defineHandler } from '../generators.ts'
import { nodeProject } from '../projects/node.ts'

export default defineHandler(check, (model) =>
  nodeProject(model, {
    label: check.label,
    dependencies: { fastify: '^5.6.0' },
    files: (receiver) => [
      { path: check.fileName, text: check.code(model.brand, receiver('./webhooks.ts')) },
    ],
  }),
)
