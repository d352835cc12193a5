import { diffModel } from './diff-model.ts'
import { serveCalls } from '#client/worker-calls.ts'

serveCalls(self, diffModel)
