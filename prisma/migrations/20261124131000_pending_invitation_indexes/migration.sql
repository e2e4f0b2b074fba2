-- The pending invitations among the people of a team: by role, and in the order by last activity, which none of them has.
CREATE INDEX "invitations_pending_by_role" ON "invitations"("team_id", "role", "sent_at", "id") WHERE "status" = 'pending';
CREATE INDEX "invitations_pending_by_id" ON "invitations"("team_id", "id") WHERE "status" = 'pending';
-- Those that are not expired, and those that are.
CREATE INDEX "invitations_pending_by_expiry" ON "invitations"("team_id", "expires_at", "id") WHERE "status" = 'pending';
