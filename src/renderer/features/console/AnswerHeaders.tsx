import type { ReactNode } from 'react'
import type { Header } from '#contract/models.ts'
import { HeaderTable } from '../../components/HeaderTable.tsx'
import { Masked } from '../../components/Masked.tsx'
import { cut } from '../../components/text/visible.ts'

const longest = 4000

interface Props {
  readonly label: string
  readonly headers: readonly Header[]
}

/** Headers as they went over the wire: order, case and duplicates, secrets as chips. */
export function AnswerHeaders({ label, headers }: Props) {
  return <HeaderTable label={label} headers={headers} drawValue={drawn} />
}

function drawn(value: string): ReactNode {
  return <Masked text={cut(value, longest)} />
}
