import { headerPairs, type RequestList } from '../request-list.ts'

/** Its API has emails and DNS queries too. It keeps no text of a multipart body. Times are in UTC. */
const webhookSite: RequestList = {
  tool: 'webhook.site',
  marks: [['"uuid"', '"method"', '"content"']],
  member: 'data',
  entry: ({ type = 'web', created_at: at, method, url, headers, content, size }) => ({
    startedDateTime: `${String(at).replace(' ', 'T')}Z`,
    ...(type === 'web' && {
      request: {
        method,
        url,
        headers: headerPairs(headers),
        postData: { text: content },
        bodySize: size,
      },
    }),
  }),
}
export default webhookSite
