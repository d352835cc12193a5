import check from '#catalogue/raw-body-checks/express.ts'
import { defineHandler } from '../generators.ts'
import { nodeProject } from '../projects/node.ts'

export default defineHandler(check, (model) =>
  nodeProject(model, {
    label: check.label,
    dependencies: { express: '^5.1.0' },
    devDependencies: { '@types/express': '^5.0.3' },
    files: (receiver) => [
      { path: check.fileName, text: check.code(model.brand, receiver('./webhooks.ts')) },
    ],
  }),
)
