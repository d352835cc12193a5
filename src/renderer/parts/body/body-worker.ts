import { createBodyModel } from './body-model.ts'
import { serveCalls } from '#client/worker-calls.ts'

serveCalls(self, createBodyModel())
