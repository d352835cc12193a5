/** A body that is on its way, or being read. What is there in a moment is not worth a word. */
export function BodyComing() {
  return (
    <div className="body-coming" role="status">
      Reading the body
    </div>
  )
}
