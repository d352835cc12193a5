import check from '#catalogue/raw-body-checks/flask.ts'
import { defineHandler } from '../generators.ts'
import { pythonProject } from '../projects/python.ts'

export default defineHandler(check, (model) =>
  pythonProject(model, {
    label: check.label,
    requirements: ['Flask>=3.0,<4'],
    server: check.fileName,
    files: (receiver) => [{ path: check.fileName, text: check.code(model.brand, receiver) }],
    note: 'The server of Flask is for development. In production, use one like Waitress or Gunicorn.',
  }),
)
