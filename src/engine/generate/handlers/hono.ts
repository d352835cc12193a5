import check from '#catalogue/raw-body-checks/hono.ts'
import { defineHandler } from '../generators.ts'
import { nodeProject } from '../projects/node.ts'

const server = `import { serve } from '@hono/node-server'
import app from './app.ts'

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
`

export default defineHandler(check, (model) =>
  nodeProject(model, {
    label: check.label,
    dependencies: { hono: '^4.10.0', '@hono/node-server': '^2.0.0' },
    files: (receiver) => [
      { path: 'server.ts', text: server },
      { path: check.fileName, text: check.code(model.brand, receiver('./webhooks.ts')) },
    ],
  }),
)
