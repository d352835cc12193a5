import { diffModel } from '../features/diff/diff-model.ts'
import { serveCalls } from '../platform/worker-calls.ts'

serveCalls(self, diffModel)
