import { app } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`Listening on http://127.0.0.1:${port}/webhooks`))
