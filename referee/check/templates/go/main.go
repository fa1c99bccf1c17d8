// @NAME@ - a bot for the backgammon referee bgref.
//
// The referee lists the legal results of every roll and the bot picks one, so it needs no rules of
// its own. bgref.proto says what is in every message, docs/protocol.md of bgref how they are used.
package main

import (
	"errors"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"bot/pb"
)

const protocol = 2

var errGoodbye = errors.New("goodbye")

// worth is what a result is worth to us: make this yours. Here: the rearmost checker should be far
// on its way. Own and Opponent hold checkers by slot, each counted from its own side: slot 25 is the bar,
// 24 to 1 are the points on the way home, 0 is borne off. Trailing zeros are left out.
func worth(position *pb.Position) float64 {
	slot := len(position.GetOwn()) - 1
	for slot > 0 && position.Own[slot] == 0 {
		slot--
	}
	return float64(-slot)
}

func bestIndex(results []*pb.Result) uint32 {
	best, most := 0, 0.0
	for i, result := range results {
		if value := worth(result.Position); i == 0 || value > most {
			best, most = i, value
		}
	}
	return uint32(best)
}

func action(out *pb.Answer, what pb.Action) {
	out.Content = &pb.Answer_Action{Action: what}
}

// answer decides one Ask.
func answer(ask *pb.Ask) *pb.Answer {
	out := &pb.Answer{Decision: ask.Decision}
	switch ask.Kind {
	case pb.Decision_DECISION_PLAY:
		out.Content = &pb.Answer_Index{Index: bestIndex(ask.Results)}
		// What it thought, for people: out.Thought = &pb.Thought{Chances: &pb.Chances{Win: 0.62}}
	case pb.Decision_DECISION_DOUBLE:
		action(out, pb.Action_ACTION_ROLL)
	case pb.Decision_DECISION_TAKE, pb.Decision_DECISION_RAISE:
		action(out, pb.Action_ACTION_TAKE)
	case pb.Decision_DECISION_KEEP:
		action(out, pb.Action_ACTION_KEEP)
	case pb.Decision_DECISION_NAME:
		out.Content = &pb.Answer_Name{Name: 6}
	case pb.Decision_DECISION_RESIGNATION:
		action(out, pb.Action_ACTION_ACCEPT)
	}
	return out
}

func answers(asks *pb.Asks) *pb.ToReferee {
	out := &pb.Answers{}
	for _, ask := range asks.Asks {
		out.Answers = append(out.Answers, answer(ask))
	}
	return &pb.ToReferee{Content: &pb.ToReferee_Answers{Answers: out}}
}

func hello() *pb.ToReferee {
	return &pb.ToReferee{Content: &pb.ToReferee_Hello{Hello: &pb.Hello{
		Protocols:   []uint32{protocol},
		Token:       os.Getenv("BGREF_TOKEN"),
		Pid:         uint32(os.Getpid()),
		Name:        "@NAME@",
		Version:     "0.1",
		MaxInFlight: 64, // with a slow engine: 1
		WantPlays:   true,
	}}}
}

func ready(game string) *pb.ToReferee {
	return &pb.ToReferee{Content: &pb.ToReferee_Ready{Ready: &pb.Ready{Game: game}}}
}

// notUnderstood names content that this bot does not serve, or that its schema does not have: the
// first field of a message is the number of its content.
func notUnderstood(frame []byte) *pb.ToReferee {
	number, _, size := protowire.ConsumeTag(frame)
	if size < 0 {
		number = 0
	}
	return &pb.ToReferee{Content: &pb.ToReferee_NotUnderstood{
		NotUnderstood: &pb.NotUnderstood{Field: uint32(number)}}}
}

// reply is what answers a frame: nil when nothing does, an error when the bot should end.
func reply(frame []byte) (*pb.ToReferee, error) {
	message := &pb.ToBot{}
	if err := proto.Unmarshal(frame, message); err != nil {
		return nil, err
	}
	switch content := message.Content.(type) {
	case *pb.ToBot_Asks:
		return answers(content.Asks), nil
	case *pb.ToBot_Welcome:
		if content.Welcome.Protocol != protocol || len(content.Welcome.Options) > 0 {
			return nil, errors.New("this bot speaks protocol 2 and has no options")
		}
		return ready(""), nil
	case *pb.ToBot_NewGame:
		return ready(content.NewGame.GetBegin().GetGame()), nil
	case *pb.ToBot_Ping:
		return &pb.ToReferee{Content: &pb.ToReferee_Pong{
			Pong: &pb.Pong{Nonce: content.Ping.Nonce}}}, nil
	case *pb.ToBot_Refusal:
		return nil, fmt.Errorf("refused: %s: %s", content.Refusal.What, content.Refusal.Why)
	case *pb.ToBot_Goodbye:
		return nil, errGoodbye
	case *pb.ToBot_Tells, *pb.ToBot_NotUnderstood:
		return nil, nil
	}
	return notUnderstood(frame), nil
}

func send(socket *dealer, message *pb.ToReferee) error {
	frame, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	return socket.send(frame)
}

func run() error {
	for _, name := range []string{"BGREF_ENDPOINT", "BGREF_TOKEN"} {
		if os.Getenv(name) == "" {
			return fmt.Errorf("%s is not set: the referee starts this program, for instance with "+
				"`bgref duel ./@NAME@ random`", name)
		}
	}
	socket, err := dial(os.Getenv("BGREF_ENDPOINT"))
	if err != nil {
		return err
	}
	defer socket.close()
	if err := send(socket, hello()); err != nil {
		return err
	}
	for {
		frame, err := socket.receive()
		if err != nil {
			return err
		}
		out, err := reply(frame)
		if err != nil {
			return err
		}
		if out != nil {
			if err := send(socket, out); err != nil {
				return err
			}
		}
	}
}

func main() {
	if err := run(); err != nil && err != errGoodbye {
		fmt.Fprintln(os.Stderr, "@NAME@:", err)
		os.Exit(1)
	}
}
