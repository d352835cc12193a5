import check from '#catalogue/raw-body-checks/fastapi.ts'
import { defineHandler } from '../generators.ts'
import { pythonProject } from '../projects/python.ts'

export default defineHandler(check, (model) =>
  pythonProject(model, {
    label: check.label,
    requirements: ['fastapi>=0.115,<1', 'uvicorn>=0.30,<1'],
    server: check.fileName,
    files: (receiver) => [{ path: check.fileName, text: check.code(model.brand, receiver) }],
  }),
)
