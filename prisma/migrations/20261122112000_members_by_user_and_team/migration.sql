-- The planner may look up one member by the user alone, as few users are in several teams, and would then read every membership
-- of a user with a thousand. With both columns either index finds the one row.
CREATE INDEX "members_user_id_team_id_idx" ON "members"("user_id", "team_id");
DROP INDEX "members_user_id_idx";
