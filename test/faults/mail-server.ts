import { urlConnection, withSession } from '../../src/database/connection.ts'
import { createTeams, invite } from '../support/faults/changes.ts'
import { measureWrites, waitForAcknowledged } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startMailingService } from '../support/mail/mailing-service.ts'
import { rejection, startMailServer } from '../support/mail/smtp.ts'
import { waitFor } from '../support/service/wait.ts'

/**
 * Counts the mails that arrived instead of stored values. SMTP cannot prevent that a mail arrives twice: if the response of the mail
 * server is lost, the service sends the mail again, with the same Message-ID.
 */
export const mailServerDown: Fault = {
  name: 'The mail server is down',
  control: 'the mail server stores some emails and then reports a failure',
  async measure(isControl) {
    const arrived: string[] = []
    const onMail = (source: string) => {
      arrived.push(/^To: (\S+)@example\.com\r$/m.exec(source)?.[1] ?? '')
      if (isControl && arrived.length < 3) throw rejection(451, 'try again later')
    }
    const server = await startMailServer({ onMail })
    const { port } = server
    const service = await startMailingService({ smtpUrl: server.url })
    const connection = urlConnection(service.databaseUrl)
    const teams = await createTeams(connection, 10)
    const unsent = async () => {
      const { rowCount } = await withSession(connection, (session) => session.query(`SELECT FROM pgboss.job WHERE state <> 'completed'`))
      return rowCount
    }
    return measureWrites({
      change: invite(service.url, teams),
      clients: 1,
      async causeFault(load) {
        await server.close()
        await waitForAcknowledged(load)
        await waitFor(unsent)
        await startMailServer({ port, onMail })
      },
      async stored() {
        await waitFor(async () => (await unsent()) === 0)
        return arrived
      },
    })
  },
}
