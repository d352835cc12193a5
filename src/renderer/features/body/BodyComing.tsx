/** A body that is on its way, or being read. */
export function BodyComing() {
  return <div className="body-coming" role="status" aria-label="Loading the body" />
}
