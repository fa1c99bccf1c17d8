"""A project of `bgref new-bot`, built as its README says, plays over TCP: through `bgref join`, and in C also alone."""
from door_case import DoorCase
from harness import main
from project import ProjectCase


class RemoteProjects(DoorCase, ProjectCase):
    def plays(self, name, start):
        """The bot that start starts plays an event to its end."""
        event = self.event(pairs=2, **{"r.db": f"{name}.db"})
        bot = start(self.path("mybot/mybot"))
        self.assertIn("4/4 (100.0%)", self.ends(event))
        self.must("verify", f"{name}.db")
        return self.ends(bot)

    def joins(self):
        said = self.plays("joined", lambda bot: self.start("join", "host.bgref", bot, "--key", "anna.key", "--check"))
        self.assertIn("goodbye: the event has ended", said)

    def test_c(self):
        self.make("c")
        self.follow(self.commands(self.path("mybot"))[:1], self.path("mybot"))
        self.joins()
        said = self.plays("alone", self.start_alone)
        self.assertRegex(said, r"\Amybot is connected to tcp://127.0.0.1:\d+; it plays when the host calls it\n\Z")

    def test_python(self):
        self.make("python")
        self.joins()


if __name__ == "__main__":
    main()
