package std

import "strings"

// The words of std_random_pet: short, kind, free of double meanings, spelled
// with plain letters so that they fit host names. A test says so.
var (
	petAdverbs = strings.Fields(`
		ably amply aptly boldly bravely briefly brightly briskly broadly calmly
		cheerily clearly cleverly closely coolly cosily dearly deeply deftly
		duly eagerly early easily evenly fairly firmly fondly freely freshly
		fully gently gladly grandly happily highly honestly humbly jointly
		justly keenly kindly largely lightly lively loudly luckily mainly
		merely mildly mostly neatly newly nicely nimbly nobly openly partly
		plainly politely promptly proudly purely quickly quietly rarely readily
		really richly rightly roundly safely serenely sharply shyly simply
		slowly smoothly softly solely soundly steadily subtly surely sweetly
		swiftly tidily truly usually vastly vividly warmly wholly widely wisely`)

	petAdjectives = strings.Fields(`
		able agile airy amber ample apt azure balmy beaming blithe bold brave
		breezy bright brisk bubbly calm candid careful caring cheery civil
		clever comic cordial cosmic cosy crisp curious dapper daring dazzling
		deft distant dreamy eager early earnest easy elegant endless epic
		exact fabled fair famous fancy festive fleet fluent fond frank free
		fresh frosty gallant gentle gifted glad gleaming golden graceful grand
		grateful handy happy hardy hasty hazel hearty helpful hidden honest
		humble ideal ivory jaunty jolly jovial joyful keen kind knowing lasting
		learned leisurely level light limber lively logical loyal lucid lucky
		lunar magical mellow merry mighty mild mindful minty misty modest
		musical mystic natural neat nifty nimble noble novel olive open orderly
		patient peaceful placid playful pleasant plucky poetic polished polite
		prime prompt proper proud quaint quick quiet radiant rapid rare ready
		regal rising robust rosy ruby rustic sage scarlet serene shining silent
		silver simple sincere sleek smiling smooth snappy snug social soft solar
		solid sparkling speedy spirited splendid spry stable starry steady
		stellar sterling sturdy subtle suited summery sunlit sunny supple sure
		tender thrifty tidy timely tranquil true trusty twinkling upbeat useful
		valiant velvet verdant vital vivid warm whimsical willing winsome wise
		witty wondrous worthy zealous zesty`)

	petAnimals = strings.Fields(`
		albatross alpaca anchovy anemone antelope armadillo auklet avocet
		axolotl badger barbet barnacle bat beaver bee beetle bison bittern
		bluebird bluejay bobcat bonobo bullfinch bumblebee bunting buzzard
		camel canary capybara caracal cardinal caribou cassowary cat catfish
		chaffinch chameleon cheetah chickadee chinchilla chipmunk cicada clam
		coati cockatoo cod condor coot coral cormorant cougar cow coyote crab
		crane cricket crossbill curlew deer dingo dipper dog dolphin donkey
		dormouse dove dragonfly duck dugong dunlin eagle echidna eel egret
		eider eland elephant elk emu ermine falcon fawn ferret finch firefly
		flamingo flounder foal fox frog fulmar gannet gazelle gecko gerbil
		gibbon giraffe goat godwit goldfinch goose gopher grebe grouse gull
		guppy haddock halibut hamster hare harrier hawk hedgehog heron herring
		hippo hoopoe hornbill horse hummingbird ibex ibis iguana impala jackal
		jackdaw jaguar jay jellyfish kangaroo kestrel kingfisher kite kitten
		kiwi koala krill kudu ladybird lamb lapwing lark lemming lemur leopard
		limpet linnet lion lizard llama lobster loon loris lynx macaw mackerel
		magpie mallard manatee marlin marmoset marmot marten martin meerkat
		merlin minnow mole mongoose moose moth mouse mule muskox mussel myna
		narwhal newt nightingale nuthatch ocelot octopus okapi opossum orca
		oriole oryx osprey ostrich otter owl oyster panda panther parrot
		partridge peacock pelican penguin petrel pheasant pika pipit platypus
		plover pony porcupine porpoise puffin puma quail quokka rabbit raccoon
		ram raven razorbill redpoll redstart reindeer robin rook salamander
		salmon sandpiper sardine seahorse seal serval shearwater sheep shrew
		shrimp siskin skink skylark sloth snail snipe sparrow spoonbill squid
		squirrel starfish starling stingray stoat stonechat stork sturgeon
		swallow swan swift tadpole tanager tapir tern thrush tiger toad toucan
		treecreeper trout tuna turbot turtle urchin vole wagtail wallaby walrus
		warbler waxwing weasel whale wheatear whimbrel wigeon wolf wombat
		woodcock woodpecker wren yak zebra`)
)
