-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "subject_name" TEXT;

-- Entries are never altered (see the trigger); those from before are given what they would have been written with, as far
-- as it is known still: the name that what they identify has now.
ALTER TABLE "audit_entries" DISABLE TRIGGER "audit_entries_append_only";
UPDATE "audit_entries" e SET "subject_name" = u."name" FROM "users" u
WHERE u."id"::text = e."subject" AND e."action" IN ('updateMember', 'removeMember', 'leaveTeam', 'acceptInvitation', 'declineInvitation');
UPDATE "audit_entries" e SET "subject_name" = t."name" FROM "access_tokens" t
WHERE t."id"::text = e."subject" AND e."action" IN ('createTeamToken', 'createPersonalToken', 'rotateToken', 'revokeToken', 'cutTeamFromToken');
UPDATE "audit_entries" e SET "subject_name" = c."name" FROM "oauth_grants" g JOIN "oauth_clients" c ON c."id" = g."oauth_client_id"
WHERE g."id"::text = e."subject" AND e."action" IN ('revokeGrant', 'narrowGrant', 'cutTeamFromGrant');
ALTER TABLE "audit_entries" ENABLE TRIGGER "audit_entries_append_only";
