import type { Ports } from '../../schema/core/ports.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { formatEventKey } from '../../schema/events/stream.ts'
import { disableGone } from '../../schema/webhooks/failing.ts'
import { sendEvent } from '../../schema/webhooks/send-event.ts'
import type { Endpoint } from '../../schema/webhooks/send-event.ts'
import { createBacklog } from './backlog.ts'
import type { BacklogPorts } from './backlog.ts'
import type { ClaimedWebhook } from './claim.ts'
import type { DueEvent } from './next-events.ts'
import type { createRecorder } from './delivery-recorder.ts'

/** Numbers of simultaneous requests to a working and to a failing webhook. An endpoint that hangs must not hold many sockets. */
const slots = { working: 8, failing: 1 }

/** Returns a function that runs tasks, at most `places` of them at once, in the order of the calls. */
export function createLimit(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

export interface WorkPorts extends BacklogPorts, Pick<Ports, 'sendMail' | 'outgoing' | 'deriveSecret'> {
  recorder: Pick<ReturnType<typeof createRecorder>, 'record'>
  /** Runs a request to a failing endpoint. It waits for others if there are many such requests. */
  sendToFailing: ReturnType<typeof createLimit>
  report(error: unknown): void
}

/** Delivers the events of one webhook. A failed event is retried independently, so that the next ones do not wait for it. */
export function workOn(ports: WorkPorts, claimed: ClaimedWebhook) {
  const backlog = createBacklog(ports, claimed.position)
  const inProgress = new Set<string>()
  let webhook = claimed
  /** True if another process works on the webhook, or may do so soon. */
  let isLost = false
  let changed = Promise.withResolvers<void>()

  async function attempt(due: DueEvent): Promise<void> {
    const send = () => sendEvent(ports, toEndpoint(webhook), due.event)
    const result = await (webhook.isFailing ? ports.sendToFailing(send) : send())
    observe('webhookDelivery', { result: result.result })
    const recorded = isLost ? null : await ports.recorder.record(webhook.id, due, result, () => backlog.settle(due, result.result))
    if (!recorded) isLost = true
    else webhook = recorded
    if (recorded && result.status === 410) {
      await disableGone(ports, webhook.id)
      webhook = { ...webhook, isDisabled: true }
    }
  }

  function start(due: DueEvent): void {
    const key = formatEventKey(due.position)
    inProgress.add(key)
    attempt(due)
      .catch((error: unknown) => {
        isLost = true
        ports.report(error)
      })
      .finally(() => {
        inProgress.delete(key)
        changed.resolve()
      })
  }

  const hasEnded = () => isLost || webhook.isDisabled

  /** Starts attempts in all free places. Returns true if no more can start until something changes. */
  async function fillPlaces(isOver: () => boolean): Promise<boolean> {
    const places = webhook.isFailing ? slots.failing : slots.working
    const isFull = () => inProgress.size >= places
    if (!isFull() && backlog.isUnread()) await backlog.read(webhook, inProgress)
    while (!isFull() && !isOver()) {
      const due = backlog.take(webhook.types)
      if (!due) break
      start(due)
    }
    return isFull() || backlog.isEmpty()
  }

  return {
    /**
     * Delivers until nothing is left, or until the webhook was disabled, deleted or taken over by another process. Rejects if the database
     * is unavailable; then call it again.
     */
    async run(isClosing: () => boolean): Promise<void> {
      const isOver = () => hasEnded() || isClosing()
      for (;;) {
        changed = Promise.withResolvers<void>()
        const isBlocked = isOver() || (await fillPlaces(isOver))
        if (isBlocked && inProgress.size === 0) return
        if (isBlocked) await changed.promise
      }
    },
    wake(): void {
      backlog.expectMore()
      changed.resolve()
    },
    /** Returns true if there may be more events than were read. */
    mayHaveMore: () => backlog.isUnread() && !hasEnded(),
    /** Returns the horizon before which all events were delivered; null if it is unknown. */
    deliveredHorizon: () => (hasEnded() ? null : backlog.takenHorizon()),
  }
}

const toEndpoint = ({ id, url, secret, previousSecret, previousSecretExpiresAt }: ClaimedWebhook): Endpoint => ({
  id,
  url,
  secret: Buffer.from(secret, 'hex'),
  previousSecret: previousSecret === null ? null : Buffer.from(previousSecret, 'hex'),
  previousSecretExpiresAt: previousSecretExpiresAt === null ? null : new Date(previousSecretExpiresAt),
})
