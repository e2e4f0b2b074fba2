import type { Download } from '../framework/download.ts'
import type { Page } from '../framework/page.ts'
import { staffAudit, staffAuditEntry, staffAuditFile } from './audit/staff-audit.tsx'
import { staffClient } from './clients/staff-client.tsx'
import { staffClients } from './clients/staff-clients.tsx'
import { staffMail } from './mails/staff-mail.tsx'
import { staffMails } from './mails/staff-mails.tsx'
import { staffSearch } from './search.tsx'
import { staffService } from './service/service.tsx'
import { staffTeam } from './teams/staff-team.tsx'
import { staffUser } from './users/staff-user.tsx'

/** The pages of staff. */
export const staffPages: readonly Page[] = [
  staffSearch,
  staffUser,
  staffTeam,
  staffClients,
  staffClient,
  staffMails,
  staffMail,
  staffAudit,
  staffAuditEntry,
  staffService,
]

/** The files that staff can download. */
export const staffDownloads: readonly Download[] = [staffAuditFile]
