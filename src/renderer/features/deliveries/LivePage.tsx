import { Stack } from '../../ui/Layout.tsx'
import { DeliveriesPage } from './DeliveriesPage.tsx'
import { FirstRun } from './FirstRun.tsx'
import { ScopeTabs } from './log/ScopeTabs.tsx'
import './log/LogPage.css'

/** The live deliveries, with tabs for the open logs above them. */
export function LivePage() {
  return (
    <Stack column full className="log-page">
      <ScopeTabs />
      <div className="grow shrink">
        <DeliveriesPage fresh={<FirstRun />} />
      </div>
    </Stack>
  )
}
