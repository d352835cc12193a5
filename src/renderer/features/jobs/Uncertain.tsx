import { CircleHelp } from 'lucide-react'
import type { Job } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { useClient } from '../../platform/use-client.ts'
import { resumeJob } from './commands.ts'

/** What Tabscope cannot know after a crash, and the two things to do about it. */
export function Uncertain({ job }: { readonly job: Job }) {
  const client = useClient()
  const many = job.uncertain
  const them = many === 1 ? 'it' : 'them'
  return (
    <section className="uncertain" aria-labelledby="uncertain">
      <CircleHelp aria-hidden />
      <div>
        <h3 id="uncertain">
          {counted(many, 'delivery', 'deliveries')} may have arrived, or may not
        </h3>
        <p>
          Tabscope ended while {many === 1 ? 'it was' : 'they were'} under way, so nobody here
          knows. Sent again, {many === 1 ? 'it may' : 'they may'} arrive twice; left out,{' '}
          {many === 1 ? 'it may' : 'they may'} never have arrived. Then the rest goes on
          {job.waiting > 0 && `: ${count(job.waiting)} of them`}.
        </p>
        <div className="uncertain-choice">
          <Button kind="primary" onClick={() => resumeJob(client, job.id, 'skip')}>
            Leave {them} out
          </Button>
          <Button onClick={() => resumeJob(client, job.id, 'send')}>Send {them} again</Button>
        </div>
      </div>
    </section>
  )
}
