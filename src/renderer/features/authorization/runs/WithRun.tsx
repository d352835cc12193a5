import { FileQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Run } from '#contract/authorization.ts'
import { Empty } from '../../../components/Empty.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { runAddress } from '../address.ts'
import { useAuthorization } from '../store.ts'

interface Props {
  readonly id: number
  readonly children: (run: Run) => ReactNode
}

/** The whole record of a run: as it came by itself, else asked for. */
export function WithRun({ id, children }: Props) {
  const known = useAuthorization((state) => state.runs.find((run) => run.id === id))
  return known ? children(known) : <Asked id={id}>{children}</Asked>
}

function Asked({ id, children }: Props) {
  const { state } = useQuery('authorization.run', { id })
  switch (state.phase) {
    case 'loading':
      return <div className="run-coming" role="status" aria-label="Loading the record" />
    case 'failed':
      return (
        <Empty
          icon={<FileQuestionMark aria-hidden />}
          title="This record is not here"
          actions={
            <a className="button" href={runAddress(null)}>
              Show the newest
            </a>
          }
        >
          {state.message}
        </Empty>
      )
    case 'ready':
      return children(state.value)
  }
}
