import { draftBodyLimit } from '#contract/compose.ts'
import { byteSize } from '../../../components/text/numbers.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { say } from '../../shell/toasts.ts'
import { openFile } from '../open.ts'

/** Begins a draft with a file as its body; what goes wrong is said. */
export function useFileStart(): (file: File) => void {
  const client = useClient()
  return (file) => {
    if (file.size > draftBodyLimit) {
      say('invalid', `A body is at most ${byteSize(draftBodyLimit)} here.`)
      return
    }
    openFile(client, file).catch((error: unknown) => say('invalid', sentence(error)))
  }
}
