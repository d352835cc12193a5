import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { raw, type NextFunction, type Request, type Response } from 'express'
import { WebhooksController } from './webhooks.controller.ts'

@Module({ controllers: [WebhooksController] })
class AppModule {}

const limit = 10 * 1024 * 1024
const app = await NestFactory.create<NestExpressApplication>(AppModule)

// Before the body parsers of NestJS: the bytes as received, for any content type, without decoding.
app.use(
  '/webhooks',
  (req: Request, res: Response, next: NextFunction) => {
    // express.raw() reads a body that is too large to its end before it responds.
    if (Number(req.get('Content-Length')) > limit) res.sendStatus(413)
    else next()
  },
  raw({ type: () => true, inflate: false, limit }),
)

const port = Number(process.env.PORT ?? 3000)
await app.listen(port)
console.log(`Listening on http://127.0.0.1:${port}/webhooks`)
