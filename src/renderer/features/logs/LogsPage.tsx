import { Page } from '../../components/Page.tsx'

/** Logs that were imported, what is being exported or imported, and what every export takes out. */
export function LogsPage() {
  return (
    <Page
      title="Event logs"
      lead="Deliveries as a file: to hand to somebody else, and to look into what they saw."
    >
      {null}
    </Page>
  )
}
