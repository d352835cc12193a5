import { createBodyModel } from '../features/body/body-model.ts'
import { serveCalls } from '../platform/worker-calls.ts'

serveCalls(self, createBodyModel())
